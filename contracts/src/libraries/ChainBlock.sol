// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @dev Arbitrum's system contract (OffchainLabs/nitro-contracts, ArbSys.sol).
interface IArbSys {
    function arbBlockNumber() external view returns (uint256);
}

/// @title ChainBlock
/// @notice The number of the block, as the chain's nodes count.
library ChainBlock {
    uint256 private constant ARBITRUM_ONE = 42_161;
    uint256 private constant ARBITRUM_SEPOLIA = 421_614;
    IArbSys private constant ARB_SYS = IArbSys(0x0000000000000000000000000000000000000064);

    /// @dev On Arbitrum `block.number` is about that of Ethereum.
    function number() internal view returns (uint256) {
        if (block.chainid == ARBITRUM_ONE || block.chainid == ARBITRUM_SEPOLIA) {
            return ARB_SYS.arbBlockNumber();
        }
        return block.number;
    }
}
