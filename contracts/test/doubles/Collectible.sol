// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice As much of ERC-721 as moving one takes.
contract Collectible {
    mapping(uint256 id => address) public ownerOf;

    function mint(address to, uint256 id) external {
        ownerOf[id] = to;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && msg.sender == from, "not yours");
        ownerOf[id] = to;
    }
}
